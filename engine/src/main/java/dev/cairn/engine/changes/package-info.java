/**
 * The stream of committed changes, read from the logs beside running servers: {@link
 * dev.cairn.engine.changes.ChangeReader} returns each change of the chosen tables once, in order
 * per row. {@link dev.cairn.engine.changes.ChangePosition} is where a reader continues, and {@link
 * dev.cairn.engine.changes.ChangeCursors} keeps positions by name and holds the logs after them.
 *
 * <pre>{@code
 * try (ChangeReader reader = ChangeReader.open(root, scratch, tables, ChangeStart.now())) {
 *   while (true) {
 *     reader.poll();
 *     while (reader.next()) {
 *       use(reader.change());
 *     }
 *     save(reader.position());
 *     pause();
 *   }
 * }
 * }</pre>
 */
package dev.cairn.engine.changes;

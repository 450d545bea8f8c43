/**
 * The stream of committed changes, read from the logs of running servers: {@link
 * dev.cairn.engine.changes.ChangeReader} returns each change of the chosen tables once, in order
 * per row. {@link dev.cairn.engine.changes.ChangePosition} is the point at which a reader
 * continues, and {@link dev.cairn.engine.changes.ChangeCursors} keeps positions by name and holds
 * the logs after them.
 *
 * <p>{@code root} is the root directory: a {@link dev.cairn.engine.storage.LocalStorage}, or a
 * {@code dev.cairn.server.hadoop.HadoopStorage} on HDFS. {@code start} is {@link
 * dev.cairn.engine.changes.ChangeStart#now ChangeStart.now()} the first time, and {@link
 * dev.cairn.engine.changes.ChangeStart#after ChangeStart.after(token)} later:
 *
 * <pre>{@code
 * String follow(Storage root, ChangeStart start) throws IOException {
 *   Set<TableName> tables = Set.of(TableName.parse("orders"));
 *   try (ChangeReader reader = ChangeReader.open(root, tables, start)) {
 *     while (isWanted()) {
 *       reader.poll();
 *       while (reader.next()) {
 *         use(reader.change());
 *       }
 *       pause();
 *     }
 *     return reader.position().text();
 *   }
 * }
 * }</pre>
 *
 * <p>Each change is returned by the second {@code poll} after it was made. A token or a cursor that
 * is stored together with the results of the changes makes their processing exact.
 */
package dev.cairn.engine.changes;

/**
 * The command {@code cairn bench compare}: the same work on Cairn and on Apache HBase, in turn and
 * repeated. A {@code Side} is a server in a process of its own; a load process drives it through
 * HBase's unmodified client; what both cost is read from the operating system and from the server's
 * JVM, and handed to {@code report}.
 */
package dev.cairn.bench.compare;

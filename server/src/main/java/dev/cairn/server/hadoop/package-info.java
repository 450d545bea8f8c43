/**
 * Storage on whatever Hadoop's {@code FileSystem} reaches: {@link
 * dev.cairn.server.hadoop.HadoopStorage} gives the engine files on HDFS, and {@link
 * dev.cairn.server.hadoop.HadoopRoot} opens a server's root directory there. A server that does not
 * name a Hadoop file system never loads a class of this package. No other package of the server
 * uses Hadoop's own {@code Configuration}.
 */
package dev.cairn.server.hadoop;

/**
 * Storage on whatever Hadoop's {@code FileSystem} reaches: {@link
 * dev.cairn.server.hadoop.HadoopStorage} gives the engine files on HDFS. Only the tools use it so
 * far; a server that does not name a Hadoop file system never loads a class of this room. Settings
 * enter as Hadoop's own {@code Configuration}, which goes no further than here.
 */
package dev.cairn.server.hadoop;

/**
 * Files on any file system of Hadoop that survive a power cut. {@link
 * dev.cairn.tools.bulk.durable.DurableFiles} does what Hadoop's own calls leave out: its local file
 * system syncs neither the content nor the names of files, and HDFS syncs the blocks of a file only
 * on request.
 */
package dev.cairn.tools.bulk.durable;

/**
 * Backups of tables: snapshots with their files, and the changes from the logs between them, in a
 * local folder or on HDFS, whose renames are atomic. {@link dev.cairn.tools.backup.CreateJob} makes
 * them beside running servers; {@link dev.cairn.tools.backup.RestoreJob} restores a table as it was
 * at any moment that they cover.
 *
 * <pre>
 *   ID/manifest                    what the backup is, and the checksums of its files
 *   ID/root/.hbase-snapshot/…      of a full backup: a snapshot of each table, as HBase exports it
 *   ID/root/archive/data/…         and its HFiles
 *   ID/before/log.N                the changes since the previous backup, in the form of logs
 *   ID/loads/data/…                files that those changes loaded in bulk
 *   ID/after/log.N                 of a full backup: the changes since the snapshots were begun
 *   .new-ID/…                      a backup that is being made; it appears by a rename
 * </pre>
 */
package dev.cairn.tools.backup;

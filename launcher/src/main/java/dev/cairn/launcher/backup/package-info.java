/**
 * The commands for backups and for the stream of changes. The work is done in {@link
 * dev.cairn.tools.backup}.
 */
package dev.cairn.launcher.backup;

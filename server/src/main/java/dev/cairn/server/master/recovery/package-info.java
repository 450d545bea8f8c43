/**
 * Recovers the logs of dead servers. {@link dev.cairn.server.master.recovery.LogRecoveries} gives
 * the parts of a log to region servers, which write the edits of their regions; if none can, the
 * master does it. {@link dev.cairn.server.master.recovery.RecoveryProgress} tells which regions can
 * be opened, and {@link dev.cairn.server.master.recovery.WalDirectories} finds, fences and archives
 * the logs. Imports {@code loop} and {@code remote}.
 */
package dev.cairn.server.master.recovery;

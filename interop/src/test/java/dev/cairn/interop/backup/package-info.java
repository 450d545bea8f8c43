/** Backups of a server's tables, and tables restored from them. */
package dev.cairn.interop.backup;

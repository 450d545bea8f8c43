/**
 * Processes of this machine, seen from outside: their identity in spite of reused process numbers,
 * their addresses, and the status that a server writes into its data folder.
 */
package dev.cairn.launcher.process;

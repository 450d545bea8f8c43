/**
 * The command line. {@link dev.cairn.launcher.CairnCommand} lists the commands, which lie in rooms
 * by subject. This package also has the main class, and the command that records classes for quick
 * starts.
 */
package dev.cairn.launcher;

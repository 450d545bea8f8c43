/** Starts the shell: {@link dev.cairn.shell} with connections that open while it starts. */
package dev.cairn.launcher.shell;

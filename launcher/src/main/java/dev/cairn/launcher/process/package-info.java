/** Identifies processes of this machine, so that later commands find them. */
package dev.cairn.launcher.process;

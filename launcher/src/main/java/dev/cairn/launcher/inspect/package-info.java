/** The commands that look at files, settings, tables and running servers, and change nothing. */
package dev.cairn.launcher.inspect;

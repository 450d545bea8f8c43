/**
 * What the tools print of files: store files and logs in the words of Apache's pretty printers,
 * reports for people and for programs. {@link dev.cairn.launcher.inspect.FileLocation} finds a file
 * by what a user types, on the local disk or through Hadoop. Everything streams; nothing writes.
 */
package dev.cairn.launcher.inspect;

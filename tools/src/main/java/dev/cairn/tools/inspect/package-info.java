/**
 * The output of the file tools: store files and logs in the words of Apache's pretty printers,
 * reports for people and for programs. {@link dev.cairn.tools.inspect.FileLocation} finds the file
 * that a user names, on the local disk or through Hadoop. Everything streams; nothing writes.
 */
package dev.cairn.tools.inspect;

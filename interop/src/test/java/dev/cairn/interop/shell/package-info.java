/** Holds Cairn's shell against Apache's own: the same scripts, the same output. */
package dev.cairn.interop.shell;

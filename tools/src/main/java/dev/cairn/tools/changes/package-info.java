/** Shows the stream of changes as text. */
package dev.cairn.tools.changes;

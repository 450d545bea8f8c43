/** The stream of committed changes, read beside a server. */
package dev.cairn.interop.changes;

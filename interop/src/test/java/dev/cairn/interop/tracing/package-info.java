/** Tests of traces that begin in Apache's client and continue in the server. */
package dev.cairn.interop.tracing;

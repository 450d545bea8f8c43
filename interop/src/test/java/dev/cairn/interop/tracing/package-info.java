/** Traces that begin in Apache's client and go on in the server. */
package dev.cairn.interop.tracing;

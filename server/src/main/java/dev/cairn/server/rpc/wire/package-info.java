/** The bytes of the protocol: preamble, call headers, frames, cell blocks, responses and errors. */
package dev.cairn.server.rpc.wire;

/**
 * HBase's RPC over TCP: preamble, connection header, framed requests and responses with cell
 * blocks, call queues, and a small client for the servers' own calls. A service registers its
 * methods as {@link dev.cairn.server.rpc.RpcMethod}s; nothing here knows what they do.
 */
package dev.cairn.server.rpc;

/**
 * HBase's RPC over TCP: preamble, connection header, framed requests and responses with cell
 * blocks, call queues, and a small client for the servers' own calls. {@link
 * dev.cairn.server.rpc.service.MethodTables} declares all methods; a service registers those that
 * it serves as {@link dev.cairn.server.rpc.service.RpcMethod}s. The package does not know their
 * meaning.
 */
package dev.cairn.server.rpc;

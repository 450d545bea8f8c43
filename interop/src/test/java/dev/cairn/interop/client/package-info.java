/**
 * What HBase's own client gets from a server, option by option. The tests share one Cairn, unless
 * they need settings of their own; {@link dev.cairn.interop.client.ServerUnderTest} can be told to
 * use a running HBase instead, which shows that they ask for what HBase does.
 */
package dev.cairn.interop.client;

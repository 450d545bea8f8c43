/**
 * A server that answers HBase's client at once, with prebuilt bytes of the right size: it stores
 * nothing and looks at no more of a request than the client's checks ask for. What a workload costs
 * against it is what the wire and the client cost; no server that speaks the protocol can be
 * faster, and the distance to it is what a database may still win. {@link
 * dev.cairn.bench.limit.LimitServer} is the entrance.
 */
package dev.cairn.bench.limit;

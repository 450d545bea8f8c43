/**
 * A region server: hosts open regions and answers HBase's ClientService and AdminService for them.
 * Messages enter from {@code rpc}, are decoded into the engine's requests, and leave as messages
 * with cell blocks. Each method family is a collaborator of its own; {@link
 * dev.cairn.server.regionserver.RegionServer} only wires, starts and stops them.
 */
package dev.cairn.server.regionserver;

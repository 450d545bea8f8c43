/**
 * A region server: hosts open regions and answers HBase's ClientService and AdminService for them.
 * Requests come decoded from {@code request}, and are answered with messages and cell blocks. Each
 * method family is a collaborator of its own; {@link dev.cairn.server.regionserver.RegionServer}
 * only wires, starts and stops them.
 */
package dev.cairn.server.regionserver;

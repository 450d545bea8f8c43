/**
 * A region server: hosts open regions and answers HBase's ClientService and AdminService for them.
 * Requests come decoded from {@code request}, and are answered with messages and cell blocks. Each
 * method family is a collaborator of its own. {@link dev.cairn.server.regionserver.RegionServer}
 * starts and stops the server. Each of its parts, such as the maintenance or the quotas, is wired
 * in a class of this package.
 */
package dev.cairn.server.regionserver;

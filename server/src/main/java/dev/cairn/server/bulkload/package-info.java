/**
 * Bulk loads for clients: the staging directory, and the transfer of users' files into it. {@link
 * dev.cairn.engine.region.Region#bulkLoad} then loads the files into a region.
 */
package dev.cairn.server.bulkload;

/**
 * The server as a member of the cluster: its state, its link to the master, the epochs of masters,
 * and the lease under which it serves.
 */
package dev.cairn.server.regionserver.membership;

/**
 * The feed of a region with replicas: its latest logged changes, for the servers of the replicas,
 * and the numbers up to which its families are in store files.
 */
package dev.cairn.engine.region.feed;

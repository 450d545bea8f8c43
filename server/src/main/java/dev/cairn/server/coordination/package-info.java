/**
 * The cluster's shared state in ZooKeeper's znodes, in HBase's layout and data format. {@link
 * dev.cairn.server.coordination.Coordination} is the contract, {@link
 * dev.cairn.server.coordination.ZooKeeperCoordination} implements it with Curator, {@link
 * dev.cairn.server.coordination.EmbeddedZooKeeper} is the ZooKeeper server of a standalone process,
 * and {@link dev.cairn.server.coordination.RegistryService} serves clients without ZooKeeper.
 */
package dev.cairn.server.coordination;

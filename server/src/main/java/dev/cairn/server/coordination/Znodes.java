package dev.cairn.server.coordination;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of HBase's znodes, under one parent. {@code root-region-server} must never exist: old
 * clients take it for a sign of an old cluster.
 */
final class Znodes {
  private static final String META_REPLICA = "meta-region-server-";

  private final String parent;

  /** Creates the layout under {@code parent}, by default {@code /hbase}. */
  Znodes(String parent) {
    if (!parent.startsWith("/") || parent.length() < 2 || parent.endsWith("/")) {
      throw new IllegalArgumentException(
          "zookeeper.znode.parent must begin with a slash and not end with one, not <"
              + parent
              + ">");
    }
    this.parent = parent;
  }

  String parent() {
    return parent;
  }

  String clusterId() {
    return parent + "/hbaseid";
  }

  String master() {
    return parent + "/master";
  }

  String backupMasters() {
    return parent + "/backup-masters";
  }

  String backupMaster(ServerName server) {
    return backupMasters() + "/" + server;
  }

  String metaLocation() {
    return parent + "/meta-region-server";
  }

  /** Returns the znode with the server of a replica of {@code hbase:meta}. */
  String metaReplica(int id) {
    return parent + "/" + META_REPLICA + id;
  }

  /** Returns the numbers of the replicas of {@code hbase:meta} that have znodes. */
  static SortedSet<Integer> metaReplicas(List<String> childrenOfParent) {
    SortedSet<Integer> ids = new TreeSet<>();
    for (String name : childrenOfParent) {
      if (name.startsWith(META_REPLICA)) {
        String id = name.substring(META_REPLICA.length());
        if (id.matches("[1-9][0-9]{0,5}")) {
          ids.add(Integer.parseInt(id));
        }
      }
    }
    return ids;
  }

  String regionServers() {
    return parent + "/rs";
  }

  String regionServer(ServerName server) {
    return regionServers() + "/" + server;
  }

  String draining() {
    return parent + "/draining";
  }

  String drainingServer(ServerName server) {
    return draining() + "/" + server;
  }

  String running() {
    return parent + "/running";
  }

  String tables() {
    return parent + "/table";
  }

  String table(TableName table) {
    return tables() + "/" + table;
  }

  String groups() {
    return parent + "/rsgroup";
  }

  /** Returns the directories that clients and tools expect, parents first. */
  List<String> directories() {
    return List.of(
        parent,
        regionServers(),
        backupMasters(),
        draining(),
        tables(),
        parent + "/splitWAL",
        parent + "/switch",
        parent + "/namespace",
        parent + "/namespace/default",
        parent + "/namespace/hbase",
        parent + "/flush-table-proc",
        parent + "/online-snapshot",
        parent + "/replication",
        parent + "/replication/peers",
        parent + "/replication/rs");
  }

  /** Returns the znodes that hold a switch, on at first. */
  List<String> switches() {
    return List.of(
        parent + "/balancer",
        parent + "/normalizer",
        parent + "/switch/split",
        parent + "/switch/merge",
        parent + "/snapshot-cleanup");
  }
}

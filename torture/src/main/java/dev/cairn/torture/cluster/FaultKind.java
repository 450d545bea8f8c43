package dev.cairn.torture.cluster;

/** The kinds of faults in a simulated cluster. */
enum FaultKind {
  SERVER_KILLED,
  SERVER_FROZEN,
  /** A server freezes before it syncs its log. */
  SERVER_FROZEN_IN_SYNC,
  /** A server freezes before it publishes a store file. */
  SERVER_FROZEN_BEFORE_PUBLICATION,
  /** A server freezes before it archives the files that a new store file replaces. */
  SERVER_FROZEN_AFTER_PUBLICATION,
  /** A server freezes before it sends an answer. */
  SERVER_FROZEN_IN_ANSWER,
  /** A server stops, and another one before it publishes recovered edits. */
  SPLITTER_KILLED,
  /** A server stops, and another one freezes before it publishes recovered edits. */
  SPLITTER_FROZEN,
  /** A server stops, while orders to split logs and their reports are lost, late or repeated. */
  SPLIT_ORDERS_LOST,
  /** Orders to open and close regions, and reports about them, are lost, late or repeated. */
  REGION_ORDERS_LOST,
  /** Another machine starts with the address of a frozen server. */
  SERVER_REPLACED,
  MASTER_KILLED,
  MASTER_FROZEN,
  /** A master freezes before it syncs its store. */
  MASTER_FROZEN_IN_STORE,
  /** A master freezes before it sends an order, or a write of {@code hbase:meta}. */
  MASTER_FROZEN_IN_ORDER,
  /** A master freezes before it lists, creates, renames or deletes files of tables. */
  MASTER_FROZEN_IN_FILES,
  /** The active master stops, and the next one freezes at a step of its takeover. */
  MASTER_FROZEN_IN_TAKEOVER,
  /** The active master and a server stop; the server restarts while a master looks for its log. */
  BOTH_RESTARTED,
  /** All machines lose power and their unsynced data. */
  POWER_CUT,
  CUT_FROM_ZOOKEEPER,
  CUT_FROM_MASTERS,
  /** A server is cut off from the masters, and a little later from ZooKeeper. */
  CUT_STEP_BY_STEP,
  CUT_ONE_WAY,
  LOSSY_NETWORK,
  REORDERING_NETWORK,
  DUPLICATING_NETWORK,
  /** ZooKeeper is away for less than a session. */
  ZOOKEEPER_AWAY,
  /** ZooKeeper is away for up to ten minutes. Then the sessions live on. */
  ZOOKEEPER_AWAY_LONG,
  /** ZooKeeper freezes for up to ten minutes. Then most sessions end. */
  ZOOKEEPER_FROZEN,
  ZOOKEEPER_WIPED,
  CLOCK_JUMP,
  /** File operations of a machine are slow, as with a dying DataNode. */
  SLOW_STORAGE,
  /** Writes to a server's log are not answered for longer than a session lasts. */
  STORAGE_HANGS,
  /** A server cannot reach HDFS. */
  CUT_FROM_STORAGE,
  /**
   * A server can reach neither HDFS nor ZooKeeper. The masters receive its reports, but it does not
   * receive their answers.
   */
  CUT_FROM_STORAGE_AND_ANSWERS,
  /** Some writes of a machine fail, as with a lost DataNode. */
  FAILING_WRITES,
  /** A DataNode stops, and returns after a while. */
  DATANODE_KILLED,
  /** A DataNode takes long for each write. */
  DATANODE_SLOW,
  /** All replicas of a store file are unavailable for a while. */
  BLOCK_LOST,
  /**
   * A machine with a region server and a DataNode loses power; the DataNode loses unsynced bytes.
   */
  POWER_CUT_OF_MACHINE,
  FAILING_READS,
  DISK_FULL,
  /** A machine stops with its clocks; its wall clock is right when it continues. */
  MACHINE_SUSPENDED,
  /** The machine of a server is suspended before the server sends an answer. */
  SERVER_SUSPENDED_IN_ANSWER
}

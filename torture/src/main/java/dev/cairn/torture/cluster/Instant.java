package dev.cairn.torture.cluster;

/** The instants at which a freeze is most dangerous, because of the machine's next action. */
enum Instant {
  /** A server has written to its log, but not synced it. */
  LOG_WRITTEN,
  /** A master has written to the log of its store, but not synced it. */
  STORE_WRITTEN,
  /** A store file is complete, but not published. */
  FILE_COMPLETE,
  /** A store file is published, but the files that it replaces are not archived. */
  FILE_PUBLISHED,
  /** A server has completed an answer, but not sent it. */
  ANSWER_MADE,
  /** A master is about to list, create, rename or delete files of tables. */
  FILES_CHANGED,
  /** A master is about to send an order, or a change of {@code hbase:meta}. */
  ORDER_MADE,
  /** A master has become active, but has not made its fence. */
  LEADERSHIP_TAKEN,
  /** A master is about to look for the logs of earlier masters. */
  STORE_LOGS_SOUGHT,
  /** A master has recovered the logs of earlier masters, but has not begun its own. */
  STORE_LOGS_RECOVERED,
  /** A master has begun the log of its store, but does not own the store's region. */
  STORE_LOG_BEGUN,
  /** A master is about to rename the fences of earlier masters. */
  STORE_OPENED,
  /** Recovered edits of a region are complete, but not published. */
  EDITS_COMPLETE,
  /** A master is about to look for the logs of dead servers. */
  LOGS_SOUGHT
}

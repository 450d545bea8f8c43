package dev.cairn.engine.wal.file;

/** The durability that an entry must reach before its write is acknowledged. */
public enum SyncLevel {
  /** It has been handed to the operating system: survives the process. */
  FLUSHED,
  /** It is on the device: survives a power cut. */
  SYNCED
}

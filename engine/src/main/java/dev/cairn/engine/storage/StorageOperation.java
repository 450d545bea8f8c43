package dev.cairn.engine.storage;

/** The kinds of things that are done to a {@link Storage} and its files. */
public enum StorageOperation {
  /** {@link Storage#create} and {@link Storage#createFenced}. */
  CREATE,
  /** {@link Storage#seal}. */
  SEAL,
  /** {@link Storage#open}. */
  OPEN,
  /** {@link Storage#list}. */
  LIST,
  /** {@link Storage#exists}. */
  EXISTS,
  /** {@link Storage#createDirectories} and {@link Storage#createDirectoryIn}. */
  CREATE_DIRECTORIES,
  /** {@link Storage#rename}; the path is the old one. */
  RENAME,
  /** {@link Storage#replace}; the path is the one of the file that moves. */
  REPLACE,
  /** {@link Storage#delete}. */
  DELETE,
  /** {@link ReadableFile#read}. */
  READ,
  /** {@link AppendFile#write}. */
  WRITE,
  /** {@link AppendFile#flush}. */
  FLUSH,
  /** {@link AppendFile#sync} and {@link Storage#syncDirectory}. */
  SYNC,
  /** {@link AppendFile#close}. */
  CLOSE
}

package dev.cairn.keys.client;

import java.io.IOException;

/** Chooses the bucket whose row is next. Owned by the thread that takes rows. */
interface RowOrder {
  /** Returns a bucket whose current row is next, or {@code null} after the last row. */
  BucketSource next() throws IOException;
}

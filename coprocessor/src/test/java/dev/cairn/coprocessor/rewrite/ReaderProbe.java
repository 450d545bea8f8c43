package dev.cairn.coprocessor.rewrite;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/** A coprocessor with hooks for the readers of store files. */
@SuppressWarnings("deprecation") // of a type in the hooks
public class ReaderProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static volatile boolean returnsAnother;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public StoreFileReader preStoreFileReaderOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      FileSystem files,
      Path path,
      FSDataInputStreamWrapper in,
      long size,
      CacheConfig cache,
      Reference reference,
      StoreFileReader reader) {
    CALLS.add("pre " + path.getParent().getName() + (reference == null ? "" : " of a parent"));
    return reader;
  }

  @Override
  public StoreFileReader postStoreFileReaderOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      FileSystem files,
      Path path,
      FSDataInputStreamWrapper in,
      long size,
      CacheConfig cache,
      Reference reference,
      StoreFileReader reader) {
    CALLS.add("post " + path.getParent().getName() + (reader == null ? " null" : ""));
    return returnsAnother ? null : reader;
  }
}

package dev.cairn.coprocessor.rewrite;

import dev.cairn.coprocessor.facade.StoreFacade;
import dev.cairn.engine.store.StoreFileHook.Candidate;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Asks the hooks for the reader of a store file. Cairn reads its files itself: a hook must return
 * what it is given. It gets no open file and no settings of a cache.
 */
record ReaderHooks(RegionCoprocessorHost host, StoreFacade store) {
  /**
   * Calls the hooks for a file.
   *
   * @throws IOException also if a hook returns a reader of its own
   */
  void check(Candidate file) throws IOException {
    Path path = store.file(file).getPath();
    FileSystem files = store.fileSystem();
    Reference reference = file.isReference() ? Reference.read(files, path) : null;
    StoreFileReader given = store.reader();
    if (host.preStoreFileReaderOpen(files, path, null, file.bytes(), null, reference) != null) {
      throw refused("preStoreFileReaderOpen", path);
    }
    StoreFileReader result =
        host.postStoreFileReaderOpen(files, path, null, file.bytes(), null, reference, given);
    if (result != given) {
      throw refused("postStoreFileReaderOpen", path);
    }
  }

  private static IOException refused(String hook, Path path) {
    return new IOException(
        "a coprocessor returns a reader of its own from RegionObserver."
            + hook
            + " for "
            + path
            + ", which Cairn does not use");
  }
}

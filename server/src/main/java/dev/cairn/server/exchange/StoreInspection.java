package dev.cairn.server.exchange;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.engine.wal.split.RecoveredEdits;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.verify.CountedFiles;
import dev.cairn.server.verify.Pointers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;

/** Counts the contents of one table's stores; reads the file info of every HFile. */
final class StoreInspection {
  private final Storage folder;
  private final Pointers pointers;
  private final CountedFiles counted;
  private final FolderInspection.Findings findings;
  private final BlockCache cache = new BlockCache(0, Runnable::run);
  private final TreeMap<String, Integer> versions = new TreeMap<>();
  private final TreeSet<String> compressions = new TreeSet<>();
  private final TreeSet<String> encodings = new TreeSet<>();
  private int storeFiles;
  private long bytes;
  private int references;
  private int links;
  private int recoveredEdits;

  /**
   * Creates an inspection of a table that has no regions so far.
   *
   * @param tracker the store file tracker of families whose descriptors name none
   */
  StoreInspection(
      Storage folder, StoreFileTracking.Kind tracker, FolderInspection.Findings findings) {
    this.folder = folder;
    this.pointers = new Pointers(folder);
    this.counted = new CountedFiles(folder, tracker);
    this.findings = findings;
  }

  ImportReport.Table table(
      TableName name, Optional<TableState.State> state, int regions, int splitParents) {
    return new ImportReport.Table(
        name,
        state,
        regions,
        splitParents,
        storeFiles,
        bytes,
        references,
        links,
        recoveredEdits,
        versions,
        compressions,
        encodings);
  }

  void addRegion(RegionInfo region) throws IOException {
    String home = TableFiles.directory(region);
    if (!folder.exists(home) && !region.split()) {
      findings.add(
          Severity.NOTE, region.table().toString(), region + " has no directory", "it is empty");
      return;
    }
    recoveredEdits += new RecoveredEdits(folder, home).files().size();
    for (Storage.FileInfo family : folder.list(home)) {
      if (family.directory()
          && !family.name().startsWith(".")
          && !family.name().startsWith("recovered.")) {
        addFamily(region, family.path());
      }
    }
  }

  private void addFamily(RegionInfo region, String family) throws IOException {
    Optional<Set<String>> listed;
    try {
      listed = counted.listed(family); // before the files: one that is listed is complete
      if (listed.isPresent()) {
        counted
            .missing(family, listed.get())
            .forEach(file -> refuse(region, file.path() + ": " + file.what()));
      }
    } catch (DamagedFileException e) {
      refuse(region, e.getMessage());
      return;
    }
    for (Storage.FileInfo file : folder.list(family)) {
      if (!file.directory()
          && !file.name().startsWith(".")
          && !file.name().startsWith("_")
          && (listed.isEmpty() || listed.get().contains(file.name()))) {
        addFile(region, file);
      }
    }
  }

  private void addFile(RegionInfo region, Storage.FileInfo file) throws IOException {
    storeFiles++;
    StoreFileName name = StoreFileName.parse(file.name());
    if (name instanceof StoreFileName.Half) {
      references++;
      follow(region, file);
    } else if (name instanceof StoreFileName.Link) {
      links++;
      follow(region, file);
    } else {
      bytes += file.length();
      read(region, file);
    }
  }

  private void follow(RegionInfo region, Storage.FileInfo file) throws IOException {
    try {
      for (Finding broken : pointers.verify(file.path())) {
        refuse(region, broken.path() + ": " + broken.what());
      }
    } catch (FileNotFoundException | NoSuchFileException e) {
      storeFiles--; // Somebody serves the folder, and has compacted the file away.
    }
  }

  private void read(RegionInfo region, Storage.FileInfo file) throws IOException {
    try {
      versions.merge(version(file), 1, Integer::sum);
      try (HFileReader reader = HFileReader.open(folder, file.path(), cache, CellComparator.USER)) {
        compressions.add(reader.info().compression().name());
        encodings.add(reader.info().encoding().name());
      }
    } catch (FileNotFoundException | NoSuchFileException e) {
      storeFiles--; // Somebody serves the folder, and has compacted the file away.
      bytes -= file.length();
    } catch (IOException e) {
      refuse(region, e.getMessage());
    }
  }

  private void refuse(RegionInfo region, String what) {
    findings.add(
        Severity.TABLE_REFUSED, region.table().toString(), what, region + " cannot be served");
  }

  /**
   * The last four bytes of an HFile: the minor version in the first of them, then the major one.
   */
  private String version(Storage.FileInfo file) throws IOException {
    byte[] last = new byte[Integer.BYTES];
    try (ReadableFile open = folder.open(file.path())) {
      int done = 0;
      while (done < last.length && file.length() >= last.length) {
        int more = open.read(file.length() - last.length + done, last, done, last.length - done);
        if (more <= 0) {
          break;
        }
        done += more;
      }
    }
    int version = Bytes.getInt(last, 0);
    return (version & 0xFFFFFF) + "." + (version >>> 24);
  }
}

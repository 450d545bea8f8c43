package dev.cairn.launcher.demo;

import dev.cairn.launcher.demo.Artifact.ArtifactFile;
import dev.cairn.launcher.demo.Artifact.Reference;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;

/** Writes the rows of artifacts, and the references to them into the rows of others. */
final class WebtableLoader {
  private final BufferedMutator table;

  private long files;
  private long references;
  private long cells;
  private long bytes;

  /**
   * Creates a loader, for one use by one thread.
   *
   * @param table where the rows go; the caller flushes and closes it
   */
  WebtableLoader(BufferedMutator table) {
    this.table = table;
  }

  /**
   * The totals of a load.
   *
   * @param files columns of family {@code files}
   * @param references columns of family {@code deps}
   * @param cells all cells that were written
   * @param bytes their values
   */
  record Loaded(long files, long references, long cells, long bytes) {}

  /** Loads {@code all}. */
  Loaded load(List<Artifact> all, Progress progress) throws IOException {
    for (Artifact artifact : all) {
      load(artifact);
      progress.step();
    }
    table.flush();
    return new Loaded(files, references, cells, bytes);
  }

  private void load(Artifact artifact) throws IOException {
    byte[] row = Webtable.utf8(artifact.key());
    Put put = new Put(row);
    put.addColumn(Webtable.CONTENTS, Webtable.POM, Webtable.utf8(artifact.pom()));
    for (ArtifactFile file : artifact.files()) {
      put.addColumn(
          Webtable.FILES,
          Webtable.utf8(file.name()),
          Webtable.utf8(file.bytes() + " sha1:" + file.sha1()));
    }
    for (Reference reference : artifact.references()) {
      byte[] kind = Webtable.utf8(reference.kind());
      byte[] other = Webtable.utf8(reference.key());
      put.addColumn(Webtable.DEPS, other, kind);
      write(new Put(other).addColumn(Webtable.REFS, row, kind));
    }
    write(put);
    files += artifact.files().size();
    references += artifact.references().size();
  }

  private void write(Put put) throws IOException {
    for (List<Cell> family : put.getFamilyCellMap().values()) {
      cells += family.size();
      for (Cell cell : family) {
        bytes += cell.getValueLength();
      }
    }
    table.mutate(put);
  }
}

package dev.cairn.launcher.demo;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;

/** Writes the rows of artifacts, and the references to them into the rows of others. */
final class WebtableLoader {
  private final PomSource source;
  private final BufferedMutator table;
  private final PomReader reader = new PomReader();
  private final PomResolver resolver;

  private int artifacts;
  private int skipped;
  private long files;
  private long references;
  private long cells;
  private long bytes;

  /**
   * Creates a loader, for one use by one thread.
   *
   * @param table where the rows go; the caller flushes and closes it
   */
  WebtableLoader(PomSource source, BufferedMutator table) {
    this.source = source;
    this.table = table;
    this.resolver = new PomResolver(source, reader);
  }

  /**
   * The totals of a load.
   *
   * @param artifacts rows with a POM
   * @param skipped damaged or unreadable POMs
   * @param files columns of family {@code files}
   * @param references columns of family {@code deps}
   * @param cells all cells that were written
   * @param bytes their values
   */
  record Loaded(int artifacts, int skipped, long files, long references, long cells, long bytes) {}

  /**
   * Loads {@code all}.
   *
   * @throws IOException if the table does not take them; a POM that cannot be read is counted
   */
  Loaded load(List<Coordinates> all, Progress progress) throws IOException {
    for (Coordinates artifact : all) {
      load(artifact);
      progress.step();
    }
    table.flush();
    return new Loaded(artifacts, skipped, files, references, cells, bytes);
  }

  private void load(Coordinates artifact) throws IOException {
    byte[] content;
    List<Reference> outgoing;
    List<ArtifactFile> beside;
    try {
      content = source.readPom(artifact);
      outgoing = resolver.references(artifact, reader.read(content));
      beside = source.files(artifact);
    } catch (IOException | DamagedPomException e) {
      skipped++;
      return;
    }
    byte[] row = Webtable.utf8(artifact.rowKey());
    Put put = new Put(row).addColumn(Webtable.CONTENTS, Webtable.POM, content);
    for (ArtifactFile file : beside) {
      put.addColumn(
          Webtable.FILES,
          Webtable.utf8(file.name()),
          Webtable.utf8(file.bytes() + " sha1:" + file.sha1()));
    }
    for (Reference reference : outgoing) {
      byte[] kind = Webtable.utf8(reference.kind());
      byte[] other = Webtable.utf8(reference.rowKey());
      put.addColumn(Webtable.DEPS, other, kind);
      write(new Put(other).addColumn(Webtable.REFS, row, kind));
    }
    write(put);
    artifacts++;
    files += beside.size();
    references += outgoing.size();
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

package dev.cairn.launcher.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Provides the artifacts of the webtable. For one thread. */
interface PomSource {
  /**
   * The most bytes of a POM. Clients refuse larger cells, and POMs written by hand are far smaller.
   */
  int POM_BYTES_MAX = 8 << 20;

  /** Returns all artifacts that have a POM, in the order of their row keys. */
  List<Coordinates> artifacts() throws IOException;

  /**
   * Returns the content of an artifact's POM.
   *
   * @throws NoSuchFileException if there is none here
   * @throws DamagedPomException if it is larger than {@link #POM_BYTES_MAX}
   */
  byte[] readPom(Coordinates of) throws IOException, DamagedPomException;

  /** Returns the artifact's files. */
  List<ArtifactFile> files(Coordinates of) throws IOException;

  /** Reads a POM to its end; fails if it is larger than {@link #POM_BYTES_MAX}. */
  static byte[] readAll(InputStream in) throws IOException, DamagedPomException {
    byte[] content = in.readNBytes(POM_BYTES_MAX + 1);
    if (content.length > POM_BYTES_MAX) {
      throw new DamagedPomException("larger than " + (POM_BYTES_MAX >> 20) + " MB");
    }
    return content;
  }
}

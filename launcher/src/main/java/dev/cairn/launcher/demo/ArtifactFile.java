package dev.cairn.launcher.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of an artifact.
 *
 * @param name the file's name
 * @param bytes its size
 * @param sha1 its checksum, 40 hexadecimal digits
 */
record ArtifactFile(String name, long bytes, String sha1) {
  /** Reads the file, for its checksum. */
  static ArtifactFile of(Path file) throws IOException {
    return new ArtifactFile(file.getFileName().toString(), Files.size(file), sha1(file));
  }

  private static String sha1(Path file) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-1"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}

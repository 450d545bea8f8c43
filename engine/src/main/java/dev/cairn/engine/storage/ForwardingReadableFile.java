package dev.cairn.engine.storage;

import java.io.IOException;

/** A file being read that passes everything on to another one. */
public abstract class ForwardingReadableFile implements ReadableFile {
  private final ReadableFile file;

  /** Creates a view of {@code file}, which is closed with it. */
  protected ForwardingReadableFile(ReadableFile file) {
    this.file = file;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws IOException {
    return file.read(position, target, offset, length);
  }

  @Override
  public void requireBlocks() throws IOException {
    file.requireBlocks();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package dev.cairn.engine.storage;

import java.io.IOException;

/** A file being written that passes everything on to another one. */
public abstract class ForwardingAppendFile implements AppendFile {
  private final AppendFile file;

  /** Creates a view of {@code file}, which is closed with it. */
  protected ForwardingAppendFile(AppendFile file) {
    this.file = file;
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long position() {
    return file.position();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    file.write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    file.flush();
  }

  @Override
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public int copies() {
    return file.copies();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

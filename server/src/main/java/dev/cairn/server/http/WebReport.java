package dev.cairn.server.http;

import java.io.IOException;

/** A report that the web page shows. */
public interface WebReport {
  /** Returns the report as text. */
  String text() throws IOException;

  /** Returns the report as JSON. */
  String json() throws IOException;
}

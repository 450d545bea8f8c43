package dev.cairn.tools.inspect;

import dev.cairn.engine.wal.file.WalEnd;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Prints the log files that a user names, one after another, and warns of unclean ends. */
public final class WalListing {
  private final Optional<Path> configFolder;
  private final PrintWriter out;
  private final Consumer<String> warnings;

  /**
   * Creates a listing.
   *
   * @param configFolder the folder with the settings of Hadoop's file systems
   * @param out the output of the printers; flushed after each file
   * @param warnings receives a line for each file without a clean end
   */
  public WalListing(Optional<Path> configFolder, PrintWriter out, Consumer<String> warnings) {
    this.configFolder = configFolder;
    this.out = out;
    this.warnings = warnings;
  }

  /**
   * Prints the files as text.
   *
   * @throws IOException if a file is damaged or cannot be read; the files before it are printed
   */
  public void print(List<String> files, WalPrinter printer) throws IOException {
    for (String file : files) {
      print(file, printer::print);
    }
  }

  /**
   * Prints the files as one JSON array.
   *
   * @throws IOException if a file is damaged or cannot be read; the array then has no end
   */
  public void print(List<String> files, WalJson printer) throws IOException {
    printer.begin();
    for (String file : files) {
      print(file, printer::print);
    }
    printer.end();
    out.flush();
  }

  private void print(String file, Printer printer) throws IOException {
    try (FileLocation location = FileLocation.find(file, configFolder)) {
      if (location.isFolder()) {
        throw new IOException(location.name() + " is a folder, where a log file was expected");
      }
      print(location, printer);
    } finally {
      out.flush();
    }
  }

  private void print(FileLocation location, Printer printer) throws IOException {
    try (WalReader reader = WalReader.open(location.storage(), location.path())) {
      if (printer.print(reader) && reader.end().kind() != WalEnd.Kind.CLOSED) {
        out.flush();
        warnings.accept(location.name() + " " + reader.end());
      }
    } catch (IOException e) {
      throw location.failure(e, "");
    }
  }

  /** Prints one file; returns false if it stopped because the output is closed. */
  private interface Printer {
    boolean print(WalReader reader) throws IOException;
  }
}

package dev.cairn.tools.top;

import dev.cairn.tools.top.ClusterTraffic.Sort;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.ClosedException;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * Shows traffic in a terminal until the user quits. Keys sort, pause and quit. A terminal without
 * cursor movement ("dumb") gets the lines one after another. One thread.
 */
public final class TopScreen {
  /** Reads the traffic. */
  @FunctionalInterface
  public interface Source {
    /** Returns the present traffic. */
    ClusterTraffic read() throws IOException;
  }

  private static final int WIDTH = 120;
  private static final int HEIGHT = 40;

  private final Terminal terminal;
  private final Source source;
  private final Duration delay;
  private Sort sort;
  private boolean isPaused;
  private String problem = "";
  private Optional<ClusterTraffic> shown = Optional.empty();

  /**
   * Creates a screen.
   *
   * @param delay the time between two readings
   */
  public TopScreen(Terminal terminal, Source source, Duration delay, Sort sort) {
    this.terminal = terminal;
    this.source = source;
    this.delay = delay;
    this.sort = sort;
  }

  /** Shows the traffic until {@code q} is pressed or the input ends. */
  public void run() throws IOException {
    boolean canMove = terminal.getStringCapability(Capability.cursor_address) != null;
    Attributes before = terminal.enterRawMode();
    Display display = new Display(terminal, true);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    try {
      NonBlockingReader keys = terminal.reader();
      boolean goesOn = true;
      boolean due = true;
      while (goesOn) {
        if (due && !isPaused) {
          read();
        }
        if (canMove) {
          paint(display);
        } else if (due) {
          lines(WIDTH, Integer.MAX_VALUE).forEach(line -> terminal.writer().println(line));
          terminal.flush();
        }
        int key = read(keys);
        due = key == NonBlockingReader.READ_EXPIRED;
        goesOn = due || handle(key);
      }
    } finally {
      terminal.puts(Capability.cursor_visible);
      terminal.puts(Capability.exit_ca_mode);
      terminal.setAttributes(before);
      terminal.flush();
    }
  }

  private int read(NonBlockingReader keys) throws IOException {
    try {
      return keys.read(delay.toMillis());
    } catch (ClosedException e) {
      return NonBlockingReader.EOF;
    }
  }

  /** Handles a key; returns false if the key ends the display. */
  private boolean handle(int key) {
    if (key < 0 || key == 'q' || key == 3) {
      return false;
    }
    if (key == ' ' || key == 'p') {
      isPaused = !isPaused;
    }
    for (Sort one : Sort.values()) {
      if (one.key() == key) {
        sort = one;
      }
    }
    return true;
  }

  private void read() {
    try {
      shown = Optional.of(source.read());
      problem = "";
    } catch (IOException e) {
      problem = "No answer: " + e.getMessage();
    }
  }

  private void paint(Display display) {
    int width = terminal.getWidth() > 0 ? terminal.getWidth() : WIDTH;
    int height = terminal.getHeight() > 0 ? terminal.getHeight() : HEIGHT;
    display.resize(height, width);
    List<AttributedString> screen = new ArrayList<>();
    for (String line : lines(width, height)) {
      boolean isTitle = line.contains("/s") && line.equals(line.stripLeading());
      boolean isHeading = isTitle && Character.isUpperCase(line.charAt(0));
      screen.add(
          isHeading
              ? new AttributedStringBuilder()
                  .styled(AttributedStyle.INVERSE, String.format("%-" + width + "s", line))
                  .toAttributedString()
              : new AttributedString(line));
    }
    while (screen.size() < height) {
      screen.add(AttributedString.EMPTY);
    }
    display.clear(); // some terminals keep stale characters if only differences are written
    display.update(screen, 0);
  }

  private List<String> lines(int width, int height) {
    List<String> lines = new ArrayList<>();
    String head =
        "cairn top "
            + shown
                .map(one -> Instant.ofEpochMilli(one.atMillis()).truncatedTo(ChronoUnit.SECONDS))
                .map(Instant::toString)
                .orElse("")
            + "  sorted by "
            + sort.name().toLowerCase(Locale.ROOT)
            + (isPaused ? "  PAUSED" : "")
            + "  keys: a all requests, r reads, w writes, b bytes, t time, e errors, p pause, q quit";
    lines.add(head.length() <= width ? head : head.substring(0, width));
    if (!problem.isEmpty()) {
      lines.add("! " + problem);
    }
    int left = height == Integer.MAX_VALUE ? height : height - lines.size();
    shown.ifPresent(one -> lines.addAll(TopText.lines(one, sort, width, left)));
    return lines;
  }
}

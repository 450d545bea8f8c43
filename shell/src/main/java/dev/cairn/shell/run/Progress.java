package dev.cairn.shell.run;

/** Shows how many rows a long command has read. */
public interface Progress {
  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void rows(long count) {}

        @Override
        public void end() {}
      };

  /** Reports that the command has read {@code count} rows. Cheap; called for each row. */
  void rows(long count);

  /** Clears the display. */
  void end();
}

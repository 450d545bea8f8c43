package dev.cairn.server.page;

/** Builds one page. Thread-safe. */
public interface PageSource {
  /** Returns the description of the page. */
  PageInfo info();

  /**
   * Builds the page. Called by a worker of the web server for each request; may block for one
   * second at most.
   *
   * @throws PageException if there is nothing to show
   */
  Page build(PageRequest request) throws PageException;

  /** Builds a page from its parameters. */
  @FunctionalInterface
  interface Builder {
    /** Builds the page. */
    Page build(PageRequest request) throws PageException;
  }

  /** Returns a source of a page. */
  static PageSource of(PageInfo info, Builder builder) {
    return new PageSource() {
      @Override
      public PageInfo info() {
        return info;
      }

      @Override
      public Page build(PageRequest request) throws PageException {
        return builder.build(request);
      }
    };
  }
}

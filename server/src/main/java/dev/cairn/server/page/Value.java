package dev.cairn.server.page;

import java.net.URI;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** One value on a page. Immutable. */
public sealed interface Value {
  /** No value: not known, or not applicable. */
  Value NONE = new None();

  /** Orders values: numbers by size, others by their text, absent ones last. */
  Comparator<Value> ORDER = Value::compare;

  /** An absent value. */
  record None() implements Value {}

  /**
   * Words or an identifier.
   *
   * @param kind {@link Kind#TEXT} or {@link Kind#NAME}
   */
  record Text(Kind kind, String text) implements Value {}

  /**
   * A number.
   *
   * @param kind its meaning
   */
  record Amount(Kind kind, double number) implements Value {}

  /** A word for a state. */
  record State(Level level, String word) implements Value {}

  /**
   * A link to another page of the same server.
   *
   * @param label the shown text
   * @param page the id of the page; empty for the overview
   * @param parameters the page's parameters, decoded
   */
  record Link(Value label, String page, Map<String, String> parameters) implements Value {
    /** Copies the parameters. */
    public Link {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * A link to another server.
   *
   * @param label the shown text
   * @param target an {@code http} or {@code https} address
   */
  record WebLink(Value label, URI target) implements Value {
    /** Refuses addresses that run a script. */
    public WebLink {
      if (!"http".equals(target.getScheme()) && !"https".equals(target.getScheme())) {
        throw new IllegalArgumentException("Not an address of a web server: " + target);
      }
    }
  }

  /** Returns words. */
  static Value text(String text) {
    return new Text(Kind.TEXT, text);
  }

  /** Returns an identifier. */
  static Value name(String name) {
    return new Text(Kind.NAME, name);
  }

  /** Returns a whole number. */
  static Value count(long count) {
    return new Amount(Kind.COUNT, count);
  }

  /** Returns a size in bytes. */
  static Value bytes(long bytes) {
    return new Amount(Kind.BYTES, bytes);
  }

  /** Returns a share, from 0 to 1. */
  static Value ratio(double ratio) {
    return new Amount(Kind.RATIO, ratio);
  }

  /** Returns a rate per second. */
  static Value perSecond(double rate) {
    return new Amount(Kind.PER_SECOND, rate);
  }

  /** Returns a time span in milliseconds. */
  static Value millis(long millis) {
    return new Amount(Kind.MILLIS, millis);
  }

  /** Returns a moment, milliseconds since 1970; no value for 0 and less. */
  static Value time(long millis) {
    return millis <= 0 ? NONE : new Amount(Kind.TIME, millis);
  }

  /** Returns a state. */
  static Value state(Level level, String word) {
    return new State(level, word);
  }

  /** Returns a link to a page with one parameter. */
  static Value link(String name, String page, String parameter, String value) {
    return new Link(name(name), page, Map.of(parameter, value));
  }

  /** Returns the value, or no value if it is absent. */
  static Value orNone(Optional<Value> value) {
    return value.orElse(NONE);
  }

  /** Returns the text that is shown. */
  default String shown() {
    if (this instanceof Text text) {
      return text.text();
    } else if (this instanceof Amount amount) {
      return Format.shown(amount);
    } else if (this instanceof State state) {
      return state.word();
    } else if (this instanceof None) {
      return "";
    }
    return bare().shown();
  }

  /** Returns the value without a link. */
  default Value bare() {
    if (this instanceof Link link) {
      return link.label().bare();
    } else if (this instanceof WebLink link) {
      return link.label().bare();
    }
    return this;
  }

  private static int compare(Value left, Value right) {
    Value a = left.bare();
    Value b = right.bare();
    if (a instanceof None || b instanceof None) {
      return Boolean.compare(a instanceof None, b instanceof None);
    }
    if (a instanceof Amount one && b instanceof Amount other) {
      return Double.compare(one.number(), other.number());
    }
    return a.shown().compareTo(b.shown());
  }
}

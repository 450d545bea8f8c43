package dev.cairn.server.filter;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FilterList.Operator;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Reads filters as HBase's shell and its Thrift and REST gateways write them: {@code
 * "PrefixFilter('a') AND (QualifierFilter(>=, 'binary:b') OR SKIP ValueFilter(=, 'substring:c'))"}.
 * SKIP and WHILE bind closest, then AND, then OR. Which names there are, and what their arguments
 * mean, is {@link ParseFilter}'s, with what users register there; this class finds the parts, so
 * that an error names its place. Stateless; any number of threads.
 */
public final class FilterLanguage {
  private static final String AND = "AND";
  private static final String OR = "OR";
  private static final String SKIP = "SKIP";
  private static final String WHILE = "WHILE";

  private final String text;
  private final Charset charset;
  private int at;

  private FilterLanguage(String text, Charset charset) {
    this.text = text;
    this.charset = charset;
  }

  /**
   * Returns the filter that a text describes; values between quotes are its UTF-8 bytes.
   *
   * @throws FilterSyntaxException if it describes none
   */
  public static Filter parse(String text) {
    return parse(text, StandardCharsets.UTF_8);
  }

  /**
   * Returns the filter that the bytes of a text describe; values between quotes may be any bytes.
   *
   * @throws FilterSyntaxException if they describe none; it shows bytes that are no UTF-8 as the
   *     characters of the same number
   */
  public static Filter parse(byte[] text) {
    try {
      return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString());
    } catch (CharacterCodingException e) {
      return parse(new String(text, StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
    }
  }

  private static Filter parse(String text, Charset charset) {
    FilterLanguage reader = new FilterLanguage(text, charset);
    Filter filter = reader.either();
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.error(
          reader.at,
          text.charAt(reader.at) == ')' ? "A ) without its (" : "Expected AND, OR or the end");
    }
    return filter;
  }

  private Filter either() {
    List<Filter> members = new ArrayList<>();
    do {
      members.add(all());
    } while (takeWord(OR));
    return members.size() == 1 ? members.get(0) : new FilterList(Operator.MUST_PASS_ONE, members);
  }

  private Filter all() {
    List<Filter> members = new ArrayList<>();
    do {
      members.add(one());
    } while (takeWord(AND));
    return members.size() == 1 ? members.get(0) : new FilterList(Operator.MUST_PASS_ALL, members);
  }

  private Filter one() {
    if (takeWord(SKIP)) {
      return new SkipFilter(one());
    }
    if (takeWord(WHILE)) {
      return new WhileMatchFilter(one());
    }
    skipSpace();
    if (at == text.length()) {
      throw error(at, "Expected a filter, and the text ends");
    }
    int begin = at;
    if (text.charAt(at) != '(') {
      return named();
    }
    at++;
    Filter inside = either();
    skipSpace();
    if (at == text.length() || text.charAt(at) != ')') {
      throw error(
          at, at == text.length() ? "The ( at " + (begin + 1) + " is not closed" : "Expected )");
    }
    at++;
    return inside;
  }

  /** Reads a name with its arguments. */
  private Filter named() {
    int begin = at;
    String name = word();
    if (name.isEmpty()) {
      throw error(at, "Expected a filter's name or (");
    }
    at += name.length();
    if (name.equals(AND) || name.equals(OR)) {
      throw error(begin, "Expected a filter before " + name);
    }
    String type = ParseFilter.getAllFilters().get(name);
    if (type == null) {
      throw error(
          begin,
          name.equalsIgnoreCase(AND)
                  || name.equalsIgnoreCase(OR)
                  || name.equalsIgnoreCase(SKIP)
                  || name.equalsIgnoreCase(WHILE)
              ? "AND, OR, SKIP and WHILE are written in capitals, not as " + name
              : "There is no filter "
                  + name
                  + ", only "
                  + new TreeSet<>(ParseFilter.getAllFilters().keySet()));
    }
    skipSpace();
    if (at == text.length() || text.charAt(at) != '(') {
      throw error(at, "Expected ( behind " + name);
    }
    int arguments = at;
    at = endOfArguments(arguments);
    return make(name, type, begin, text.substring(arguments, at));
  }

  private int endOfArguments(int begin) {
    boolean quoted = false;
    int quote = begin;
    for (int i = begin; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\'') {
        // A quote within a text is written twice: it closes and opens again.
        quoted = !quoted;
        quote = i;
      } else if (!quoted && c == ')') {
        return i + 1;
      }
    }
    throw quoted
        ? error(quote, "The quote that begins is not closed")
        : error(text.length(), "Expected ) behind the arguments that begin at " + (begin + 1));
  }

  private Filter make(String name, String type, int begin, String arguments) {
    try {
      ArrayList<byte[]> parts =
          ParseFilter.getFilterArguments((name + arguments).getBytes(charset));
      Object made =
          Class.forName(type)
              .getMethod("createFilterFromArguments", ArrayList.class)
              .invoke(null, parts);
      if (made instanceof Filter filter) {
        return filter;
      }
      throw error(begin, type + " made no filter of its arguments");
    } catch (InvocationTargetException e) {
      throw new FilterSyntaxException(
          text,
          begin,
          name + " cannot be made of " + arguments + " (" + reason(e.getCause()) + ")",
          e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new FilterSyntaxException(
          text, begin, "The class " + type + " cannot make filters of text (" + e + ")", e);
    } catch (FilterSyntaxException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new FilterSyntaxException(
          text, begin, "The arguments of " + name + " are malformed (" + reason(e) + ")", e);
    }
  }

  private static String reason(Throwable failure) {
    String root = FilterClasses.rootMessage(failure);
    return root.lines().findFirst().orElse(root);
  }

  private boolean takeWord(String wanted) {
    skipSpace();
    if (!word().equals(wanted)) {
      return false;
    }
    at += wanted.length();
    return true;
  }

  /** Returns the letters and digits that come next. */
  private String word() {
    int end = at;
    while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    return text.substring(at, end);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private FilterSyntaxException error(int position, String why) {
    return new FilterSyntaxException(text, position, why);
  }

  /**
   * A text that is not valid in the filter language; the message gives the place and the reason.
   */
  public static final class FilterSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int position;

    FilterSyntaxException(String text, int position, String why) {
      this(text, position, why, null);
    }

    FilterSyntaxException(String text, int position, String why, Throwable cause) {
      super(why + " at position " + (position + 1) + " of: " + text, cause);
      this.position = position;
    }

    /** Returns the index of the character at which it goes wrong, from 0. */
    public int position() {
      return position;
    }
  }
}

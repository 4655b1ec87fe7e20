// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Postgres

extension PicturesSchema {
  /// `pictures.sql`, as a schema's migration number `version`.
  public static func pictures(version: Int) -> Migration {
    Migration(version: version, name: "pictures", sql: picturesSQL)
  }

  /// `picture_users.sql`, as a schema's migration number `version`.
  public static func pictureUsers(version: Int) -> Migration {
    Migration(version: version, name: "picture_users", sql: pictureUsersSQL)
  }

  private static let picturesSQL = """
    create table pictures (
      id uuid not null,
      holder_id uuid not null,
      content_hash bytea not null,
      uploaded_at timestamptz not null,
      constraint pictures_pkey primary key (id),
      constraint pictures_content_hash_length check (octet_length(content_hash) = 32)
    );

    create index pictures_holder_idx on pictures (holder_id, id);

    comment on table pictures is
    'Pictures that people uploaded, each in several sizes. What is stored was written anew from pixels: no metadata, and '
    'no byte of the uploaded file. A picture never changes; another one takes its place.';
    comment on column pictures.id is 'UUIDv7, made by the service; the picture''s etag.';
    comment on column pictures.holder_id is
    'What the picture is of: the service''s own tables say what that is, and take its pictures along when it goes.';
    comment on column pictures.content_hash is
    'SHA-256 of the file as it was uploaded, so that the same file again changes nothing.';
    comment on column pictures.uploaded_at is 'When it was uploaded.';

    create table picture_renditions (
      picture_id uuid not null,
      size text not null,
      media_type text not null,
      width integer not null,
      height integer not null,
      byte_count integer not null,
      constraint picture_renditions_pkey primary key (picture_id, size),
      constraint picture_renditions_picture_fkey foreign key (picture_id) references pictures (id) on delete cascade,
      constraint picture_renditions_size_known check (size in ('FULL', 'THUMBNAIL_256', 'THUMBNAIL_64')),
      constraint picture_renditions_media_type_known check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
      constraint picture_renditions_sides check (width > 0 and height > 0),
      constraint picture_renditions_byte_count check (byte_count between 1 and 8388608)
    );

    comment on table picture_renditions is 'One size of a picture.';
    comment on column picture_renditions.picture_id is 'The picture.';
    comment on column picture_renditions.size is 'FULL, or THUMBNAIL_ and the side of the square that it fits into.';
    comment on column picture_renditions.media_type is 'image/jpeg, image/png or image/webp.';
    comment on column picture_renditions.width is 'In pixels.';
    comment on column picture_renditions.height is 'In pixels.';
    comment on column picture_renditions.byte_count is 'How long the file is: the sum of its chunks.';

    create table picture_chunks (
      picture_id uuid not null,
      size text not null,
      number integer not null,
      bytes bytea not null,
      constraint picture_chunks_pkey primary key (picture_id, size, number),
      constraint picture_chunks_rendition_fkey foreign key (picture_id, size)
      references picture_renditions (picture_id, size) on delete cascade,
      constraint picture_chunks_number_counted check (number >= 0),
      constraint picture_chunks_bytes_length check (octet_length(bytes) between 1 and 65536)
    );

    -- What is compressed already is not worth the time of compressing it again.
    alter table picture_chunks alter column bytes set storage external;

    comment on table picture_chunks is
    'The file of a rendition in pieces: a reader holds one at a time, however large the file is.';
    comment on column picture_chunks.picture_id is 'The picture.';
    comment on column picture_chunks.size is 'Which of its sizes.';
    comment on column picture_chunks.number is 'From 0, without gaps.';
    comment on column picture_chunks.bytes is '65,536 bytes, or what is left for the last one.';

    create table picture_quotas (
      person_id uuid not null,
      began_at timestamptz not null,
      uploads integer not null,
      constraint picture_quotas_pkey primary key (person_id),
      constraint picture_quotas_uploads_counted check (uploads > 0)
    );

    create index picture_quotas_began_at_idx on picture_quotas (began_at);

    comment on table picture_quotas is
    'How many pictures somebody has tried to upload in the hour that began with the first of them.';
    comment on column picture_quotas.person_id is 'Who uploads.';
    comment on column picture_quotas.began_at is 'When the hour began.';
    comment on column picture_quotas.uploads is 'Uploads since then, those included that were refused.';

    """

  private static let pictureUsersSQL = """
    -- A user is a user in every table.
    -- Programs from before read the old name: all of them are stopped first (see operating.md).
    --
    -- squawk-ignore-file renaming-column

    alter table picture_quotas rename column person_id to user_id;

    comment on column picture_quotas.user_id is 'The user who uploads.';

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  public static let statements: [any Statement.Type] = [
    InsertPicture.self,
    InsertRendition.self,
    InsertChunk.self,
    RenditionsOfHolder.self,
    DeletePictures.self,
    DeletePicture.self,
    PictureChunk.self,
    TakeUpload.self,
    DeleteOldQuotas.self,
    DeleteQuotaOfUser.self,
  ]
}
